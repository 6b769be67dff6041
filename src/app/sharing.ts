/**
 * Runs the work once for all concurrent callers: endpoints without a key must not use up the connections of the
 * database, and all figures of one answer come from one reading.
 */
export function sharing<T>(work: () => Promise<T>): () => Promise<T> {
  let underway: Promise<T> | undefined;
  return () => {
    underway ??= work().finally(() => {
      underway = undefined;
    });
    return underway;
  };
}
