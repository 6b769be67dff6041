const works = new Set<() => void>();
let isListening = false;

/**
 * Runs `work` when this process exits: synchronously, and even where other work fails. All share one listener,
 * since Node takes many for a leak. The answer cancels it.
 */
export function onProcessExit(work: () => void): () => void {
  if (!isListening) process.once('exit', doAll);
  isListening = true;
  works.add(work);
  return () => void works.delete(work);
}

function doAll(): void {
  const failures: unknown[] = [];
  for (const work of works) {
    try {
      work();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
