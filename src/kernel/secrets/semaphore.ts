import { fail } from '../error.ts';

interface Waiting {
  enter(): void;
  refuse(error: Error): void;
}

/**
 * Runs up to `width` pieces of work at a time and lets up to `waitingMax` wait. Waiting work is taken
 * round robin by origin, and when the room is full the longest queue loses its last one: a flood
 * delays and costs only its own origin. Throws OVERLOADED.
 */
export function createSemaphore(width: number, waitingMax: number) {
  let running = 0;
  let waiting = 0;
  /** The one whose turn is next comes first. */
  const queues = new Map<string, Waiting[]>();

  return async <T>(work: () => Promise<T>, from = ''): Promise<T> => {
    if (running < width) running += 1;
    else await turn(from);
    try {
      return await work();
    } finally {
      leave();
    }
  };

  function turn(from: string): Promise<void> {
    if (waiting >= waitingMax) makeRoom(from);
    return new Promise((resolve, reject) => {
      const queue = queues.get(from) ?? [];
      queue.push({ enter: resolve, refuse: reject });
      queues.set(from, queue);
      waiting += 1;
    });
  }

  function makeRoom(from: string): void {
    const own = queues.get(from)?.length ?? 0;
    const longest = [...queues.values()].reduce((a, b) => (b.length > a.length ? b : a));
    // An origin whose queue is as long as the longest is refused itself.
    if (own + 1 >= longest.length) throw overloaded();
    longest.pop()?.refuse(overloaded());
    waiting -= 1;
  }

  function leave(): void {
    const [next] = queues;
    if (next === undefined) {
      running -= 1;
      return;
    }
    const [from, queue] = next;
    const first = queue.shift();
    queues.delete(from);
    if (queue.length > 0) queues.set(from, queue);
    waiting -= 1;
    first?.enter();
  }
}

const overloaded = () =>
  fail('OVERLOADED', 'Too many log-ins at once, try again shortly', {
    retryAfter: 2,
    outcome: 'not-begun',
  });
