/** Says in one line why a process can't listen at its address, and which setting to change. */

export interface Address {
  host: string
  port: number
  /** The environment variable that sets the port. */
  portVariable: 'PORT' | 'PRECEDENT_HEALTH_PORT'
}

/** `error`: from `server.listen`. An error with another cause is returned unchanged. */
export function listenError(error: NodeJS.ErrnoException, { host, port, portVariable }: Address): Error {
  const message = {
    EADDRINUSE: `Port ${port} on ${host} is in use. Set ${portVariable} to a free port, or stop the process that uses it.`,
    EACCES: `This user may not listen on port ${port} of ${host}. Set ${portVariable} to a port above 1023.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Set HOST to one of its addresses, or to 0.0.0.0 for all.`,
    ENOTFOUND: `The name ${host} can't be resolved. Set HOST to an address of this machine, or to 0.0.0.0 for all.`,
  }[error.code ?? '']
  return message === undefined ? error : new Error(message, { cause: error })
}
