/* Preloaded, it makes every flush to the disk take SLOW_DISK_MS longer: before the flush, while what is to be flushed is at risk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static int slowly(const char *name, int descriptor) {
    int (*flush)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    const char *ms = getenv("SLOW_DISK_MS");
    if (ms != NULL)
        usleep((useconds_t)(atof(ms) * 1000));
    return flush(descriptor);
}

int fsync(int descriptor) { return slowly("fsync", descriptor); }
int fdatasync(int descriptor) { return slowly("fdatasync", descriptor); }
