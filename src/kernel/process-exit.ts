const works = new Set<() => void>();
let isListening = false;

/**
 * Does `work` when this process exits: at once, and even where other work fails. One listener for all
 * of it, since Node takes many for a leak. Answers how to call it off.
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
