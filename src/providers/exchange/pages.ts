import { done, type Outcome } from '../../kernel/provider-call.ts';
import { LISTED_MAX } from './client.ts';

export interface Listed {
  readonly id: string;
  readonly timestamp: number;
}

export interface Pages<T> {
  readonly all: readonly T[];
  /** False if it has more than so many pages, or repeats one. */
  readonly isWhole: boolean;
}

/**
 * All rows since then, each page beginning at the time at which the one before has ended. An exchange that repeats a
 * page or never ends its list gets a limited number of calls.
 */
export async function listFrom<T extends Listed>(
  list: (sinceMs: number) => Promise<Outcome<readonly T[]>>,
  since: number,
  pagesMax: number,
): Promise<Outcome<Pages<T>>> {
  const all = new Map<string, T>();
  let from = since;
  for (let page = 0; page < pagesMax; page += 1) {
    const page = await list(from);
    if (page.kind !== 'done') return page;
    for (const one of page.value) all.set(one.id, one);
    if (page.value.length < LISTED_MAX) return done({ all: [...all.values()], isWhole: true });
    const last = page.value.at(-1)?.timestamp ?? from;
    if (last <= from) break;
    from = last;
  }
  return done({ all: [...all.values()], isWhole: false });
}
