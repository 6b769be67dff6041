import { createStore } from './store.ts';

/** The last completed action, until the user closes it or the next one replaces it. */
export const notice = createStore<string | undefined>(undefined);
export const showNotice = (text: string): void => notice.set(text);
