import { createStore } from './store.ts';

/** A pending request for the user's proof before a dangerous action; `done` continues with it. */
export interface Proving {
  readonly done: () => void;
  readonly cancelled: () => void;
}

export const proving = createStore<Proving | undefined>(undefined);

/** Resolves with the proof, and throws `refusal` without one. */
export function proveFirst(refusal: Error): Promise<void> {
  // Of two at once, cancelling one dialog does not cancel the other.
  proving.get()?.cancelled();
  return new Promise((resolve, reject) => {
    const end = (then: () => void) => () => {
      proving.set(undefined);
      then();
    };
    proving.set({ done: end(resolve), cancelled: end(() => reject(refusal)) });
  });
}
