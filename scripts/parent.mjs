// Old JavaScript on purpose: an old Node that starts another one loads this, too.

const LOOK_MS = 1000;
const SIGNALS = [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
];

/**
 * Ends this process like a SIGTERM once its parent is gone. npm starts us by a shell that a signal to npm ends
 * without passing it on: stopping npm would leave the service running. Without npm no parent is watched: a process
 * may well outlive its starter.
 */
export function endWithParent() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent && isThere(parent)) return;
    clearInterval(timer);
    // Emitted to our own listeners: on Windows a signal would end us at once.
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(143);
  }, LOOK_MS);
  timer.unref();
  // A second signal during the end aborts it at once, and a signal to all takes the parent as well.
  for (const [signal, number] of SIGNALS)
    process.once(signal, () => {
      clearInterval(timer);
      // No other listener exists yet; with this listener the signal alone would do nothing.
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
