/**
 * A disk that takes longer to keep what it was given. Some answer a flush in less time than a small insert takes, because
 * they have a cache that survives a loss of power; most take a millisecond and more. Two programs are compared on such
 * a disk by letting both wait.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** For LD_PRELOAD: fsync and fdatasync wait before they do what they do. */
const source = (ms: number) => `
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void wait(void) {
  struct timespec time = { ${Math.floor(ms / 1e3)}, ${(ms % 1e3) * 1e6} };
  nanosleep(&time, 0);
}
int fsync(int file) { wait(); return syscall(SYS_fsync, file); }
int fdatasync(int file) { wait(); return syscall(SYS_fdatasync, file); }
`

/** The environment of a process whose every flush takes `ms` longer; what is needed for it is made in `folder`. A text: why it can't be had here. */
export function slowDisk(folder: string, ms: number): { LD_PRELOAD: string } | string {
  if (process.platform !== 'linux') return 'only Linux lets a program be given other calls'
  const library = join(folder, 'slow-disk.so')
  writeFileSync(join(folder, 'slow-disk.c'), source(ms))
  const { status, error } = spawnSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, join(folder, 'slow-disk.c')])
  return status === 0 ? { LD_PRELOAD: library } : `there is no C compiler that makes it (${error?.message ?? status})`
}
