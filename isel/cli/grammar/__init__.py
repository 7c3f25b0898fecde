"""The grammar of each command, and the flags that commands have in common."""
