import { createStore } from './store.ts';

/** The last thing that was done, until somebody has taken note or the next is. */
export const told = createStore<string | undefined>(undefined);
export const tell = (text: string): void => told.set(text);
