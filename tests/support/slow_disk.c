/* Preloaded, it lets a test slow down flushes to the disk, and see what has been flushed. In the folder SLOW_DISK the file `ms`
   says by how much, while it is there; each flush of a file adds "<inode> <bytes when it began>" to `flushed` when it has ended,
   and to `begun` when it begins. The delay comes before the flush: all that it is to save is at risk meanwhile. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int in_folder(const char *name, int flags) {
    char path[4096];
    const char *folder = getenv("SLOW_DISK");
    if (folder == NULL || snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return -1;
    return open(path, flags | O_CLOEXEC, 0600);
}

static void note(const char *name, const struct stat *file) {
    int notes = in_folder(name, O_WRONLY | O_APPEND | O_CREAT);
    if (notes >= 0) {
        dprintf(notes, "%lu %lld\n", (unsigned long)file->st_ino, (long long)file->st_size);
        close(notes);
    }
}

static void rest(void) {
    char text[32] = {0};
    int delay = in_folder("ms", O_RDONLY);
    if (delay < 0)
        return;
    if (read(delay, text, sizeof text - 1) > 0) {
        double ms = atof(text);
        struct timespec time = {(time_t)(ms / 1000), (long)((ms - 1000 * (long)(ms / 1000)) * 1e6)};
        nanosleep(&time, NULL);
    }
    close(delay);
}

static int slowly(const char *name, int descriptor) {
    int (*flush)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    struct stat file;
    if (fstat(descriptor, &file) != 0 || !S_ISREG(file.st_mode))
        return flush(descriptor);
    note("begun", &file);
    rest();
    int result = flush(descriptor);
    if (result == 0)
        note("flushed", &file);
    return result;
}

int fsync(int descriptor) { return slowly("fsync", descriptor); }
int fdatasync(int descriptor) { return slowly("fdatasync", descriptor); }
