import { createStore } from './store.ts';

/** Somebody is asked to prove who they are before something dangerous; `done` goes on with it. */
export interface Proving {
  readonly done: () => void;
  readonly cancelled: () => void;
}

export const proving = createStore<Proving | undefined>(undefined);

/** Ends when the proof was given, and throws `refusal` where it was not. */
export function proveFirst(refusal: Error): Promise<void> {
  // Two at once: whoever cancels one dialog has not cancelled the other.
  proving.get()?.cancelled();
  return new Promise((resolve, reject) => {
    const end = (then: () => void) => () => {
      proving.set(undefined);
      then();
    };
    proving.set({ done: end(resolve), cancelled: end(() => reject(refusal)) });
  });
}
