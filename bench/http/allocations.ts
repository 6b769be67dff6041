import { Session } from 'node:inspector/promises';

/** Between two samples; the estimate of a burst has thousands of them. */
const BYTES = 8192;

/**
 * Counts what this process allocates on its heap, what is gone already included, from the parent's `begin` to
 * its `end`: a figure that depends on no neighbour, and on which slow memory bears.
 */
export function countAllocations(): void {
  let session: Session | undefined;
  process.on('message', async (word) => {
    if (word === 'begin') {
      session = new Session();
      session.connect();
      await session.post('HeapProfiler.startSampling', {
        samplingInterval: BYTES,
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
      } as object);
      process.send?.({ bytes: 0 });
    }
    if (word === 'end' && session) {
      const { profile } = await session.post('HeapProfiler.stopSampling');
      session.disconnect();
      process.send?.({ bytes: bytesOf(profile.head) });
    }
  });
}

interface Node {
  readonly selfSize: number;
  readonly children: readonly Node[];
}

const bytesOf = ({ selfSize, children }: Node): number =>
  children.reduce((sum, child) => sum + bytesOf(child), selfSize);
