"""What somebody would write instead of using the package, one file for each stack. Written as well as the stack allows."""
