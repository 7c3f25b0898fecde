"""Reading QEMU's definitions of HVX instructions."""
