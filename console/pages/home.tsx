import { Navigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useMe } from '../data.ts';
import { screensOf } from '../screens.ts';

const Work = lazy(async () => ({ default: (await import('./work.tsx')).WorkPage }));

/** The operator's people see what waits for them; a client's people begin at the first screen of their role. */
export function HomePage() {
  const { data: me } = useMe();
  if (me?.home === 'operator')
    return (
      <Suspense>
        <Work />
      </Suspense>
    );
  const first = me && screensOf(me)[0];
  return first ? <Navigate to={first.to} replace /> : null;
}
