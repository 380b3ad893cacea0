/**
 * Simulates a disk with slow flushes. A disk with a power-safe cache answers a flush faster than a small insert takes;
 * most disks take a millisecond or more. To compare two programs on such a disk, both wait in every flush.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A library for LD_PRELOAD: fsync and fdatasync wait first, and then flush. */
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

/** An environment in which flushes take `ms` longer. Builds a library in `folder`. A string: why it can't. */
export function slowDisk(folder: string, ms: number): { LD_PRELOAD: string } | string {
  if (process.platform !== 'linux') return 'it needs LD_PRELOAD, which only Linux has'
  const library = join(folder, 'slow-disk.so')
  writeFileSync(join(folder, 'slow-disk.c'), source(ms))
  const { status, error } = spawnSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, join(folder, 'slow-disk.c')])
  return status === 0 ? { LD_PRELOAD: library } : `no C compiler could build it (${error?.message ?? status})`
}
