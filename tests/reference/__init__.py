"""An interpreter of the accepted IR on concrete inputs: what tests compare with."""
