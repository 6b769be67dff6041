import { Session } from 'node:inspector/promises';
import { GCProfiler } from 'node:v8';

/** Between two samples; the estimate of a burst has thousands of them. */
const BYTES = 8192;

/** The heap allocations of a process during some work. */
export interface Allocated {
  /** All allocations, collected ones included. */
  readonly bytes: number;
  /** The bytes promoted to the old generation by collections of new objects. */
  readonly kept: number;
}

/**
 * Counts what this process allocates on its heap, from the parent's `begin` to its `end`: figures that do not depend on neighbours, and explain the effect of
 * slow memory.
 */
export function countAllocations(): void {
  let session: Session | undefined;
  let collections: GCProfiler | undefined;
  process.on('message', async (word) => {
    if (word === 'begin') {
      session = new Session();
      session.connect();
      await session.post('HeapProfiler.startSampling', {
        samplingInterval: BYTES,
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
      } as object);
      collections = new GCProfiler();
      collections.start();
      process.send?.({ bytes: 0, kept: 0 } satisfies Allocated);
    }
    if (word === 'end' && session) {
      const kept = keptBy(collections?.stop().statistics ?? []);
      const { profile } = await session.post('HeapProfiler.stopSampling');
      session.disconnect();
      process.send?.({ bytes: bytesOf(profile.head), kept } satisfies Allocated);
    }
  });
}

type Collection = ReturnType<GCProfiler['stop']>['statistics'][number];

/** Only those of new objects move any of them: others free old ones at the same time. */
const keptBy = (collections: readonly Collection[]): number =>
  collections
    .filter(({ gcType }) => gcType === 'Scavenge')
    .reduce((sum, { beforeGC, afterGC }) => sum + oldBytes(afterGC) - oldBytes(beforeGC), 0);

const oldBytes = ({ heapSpaceStatistics }: Collection['beforeGC']): number =>
  heapSpaceStatistics.find(({ spaceName }) => spaceName === 'old_space')?.spaceUsedSize ?? 0;

interface Node {
  readonly selfSize: number;
  readonly children: readonly Node[];
}

const bytesOf = ({ selfSize, children }: Node): number =>
  children.reduce((sum, child) => sum + bytesOf(child), selfSize);
