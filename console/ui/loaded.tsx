import type { ReactNode } from 'react';
import { say } from '../words/say.ts';
import { Problem } from './problem.tsx';

interface Asked<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** A loaded answer. A later error stands above the earlier answer. */
export function Loaded<T>({ of, children }: { of: Asked<T>; children: (data: T) => ReactNode }) {
  const { data, error, refetch } = of;
  return (
    <>
      {error && <Problem error={error} onRetry={() => refetch()} />}
      {data === undefined
        ? !error && (
            <p className="empty" role="status">
              {say('One moment…')}
            </p>
          )
        : children(data)}
    </>
  );
}
