// Functions of Android's libc and liblog that musl lacks.

extern int *__errno_location(void);
extern long lseek(int, long, int);

int *__errno(void) { return __errno_location(); }

void android_set_abort_message(const char *message) { (void)message; }

int __android_log_write(int priority, const char *tag, const char *text) {
  (void)priority;
  (void)tag;
  (void)text;
  return 0;
}

int __system_property_get(const char *name, char *value) {
  (void)name;
  value[0] = 0;
  return 0;
}

long lseek64(int file, long offset, int whence) { return lseek(file, offset, whence); }
