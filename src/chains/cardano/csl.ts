import type * as Csl from '@emurgo/cardano-serialization-lib-nodejs';

/** The network's own serialization library. */
export type Lib = typeof Csl;

let loading: Promise<Lib> | undefined;

/** Loaded at the first use: a service without Cardano does not pay for its 5 MB and 15 MB of memory. */
export function loadLib(): Promise<Lib> {
  loading ??= import('@emurgo/cardano-serialization-lib-nodejs');
  return loading;
}

/** Takes an object of the library into the care of the scope that it was made in. */
export type Keep = <T extends Freed>(object: T) => T;
interface Freed {
  free(): void;
}

/**
 * Work with the library's objects. They live outside of the collector's reach, so those that were kept
 * are freed at the end; and what the library throws, which is text, becomes an error.
 */
export function inLib<T>(work: (keep: Keep) => T): T {
  const kept: Freed[] = [];
  try {
    return work((object) => {
      kept.push(object);
      return object;
    });
  } catch (error) {
    throw typeof error === 'string' ? new LibError(error) : error;
  } finally {
    for (const object of kept.reverse()) object.free();
  }
}

/** The library's own words for what it would not take. */
class LibError extends Error {
  override readonly name = 'LibError';
}
