/**
 * The work done once for all that ask at the same time. What needs no key must not use up the connections
 * of the database, and several figures of one answer come from one reading.
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
