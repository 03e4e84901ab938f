vitalwire sandbox                          # prints base URLs, tokens and calls to copy; serves until Ctrl-C
