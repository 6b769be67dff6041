// Plain JavaScript of old on purpose: also what an old Node hands over to another one is watched.

const LOOK_MS = 1000;
const SIGNALS = [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
];

/**
 * Ends this process as a SIGTERM does, once the one that started it is gone. npm starts us by a shell
 * that a signal to npm ends, without a word to us: stopping npm would leave the service running.
 * Without npm there is no parent to watch: a process may well outlive who started it.
 */
export function endWithParent() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent && isThere(parent)) return;
    clearInterval(timer);
    // Told to our own listeners: on Windows a signal would end us at once.
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(143);
  }, LOOK_MS);
  timer.unref();
  // Who is told to end while it ends gives up at once, and a signal to all takes the parent as well.
  for (const [signal, number] of SIGNALS)
    process.once(signal, () => {
      clearInterval(timer);
      // There is no other listener yet; with this listener the signal alone would do nothing.
      if (process.listenerCount(signal) === 0) process.exit(128 + number);
    });
}

/** Elsewhere an orphan gets another parent; on Windows it keeps the number of the one it had. */
function isThere(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
