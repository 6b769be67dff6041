import { createHash } from 'node:crypto';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Under which the server keeps it prepared; unnamed without. */
  readonly name?: string | undefined;
}

/** What the statements of one database are prepared as, the same on all of its connections. */
export interface StatementNames {
  /** Nothing where there are too many: such a statement is sent unnamed. */
  of(text: string): string | undefined;
  /** By a name it was not prepared under yet, whichever connection is first to find out. */
  replace(text: string, stale: string | undefined): void;
}

/** More distinct statements than this are sent unnamed: dynamic lists must not fill the server. */
const NAMED_MAX = 1000;

export function createStatementNames(): StatementNames {
  const names = new Map<string, string>();
  return {
    of(text) {
      const known = names.get(text);
      if (known !== undefined || names.size >= NAMED_MAX) return known;
      const name = nameFor(text);
      names.set(text, name);
      return name;
    },
    replace(text, stale) {
      if (names.get(text) === stale) names.set(text, nameFor(`${stale} ${text}`));
    },
  };
}

const nameFor = (text: string): string =>
  `a_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`;
