"""Values of one lane: functions of holes, sums of products, samples, questions."""
