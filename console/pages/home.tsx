import { Navigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useMe } from '../data.ts';
import { screensOf } from '../screens.ts';

const Work = lazy(async () => ({ default: (await import('./work.tsx')).WorkPage }));
const Start = lazy(async () => ({ default: (await import('./start.tsx')).StartPage }));

/** The operator's people begin with what waits for them, a client's with how it goes. */
export function HomePage() {
  const { data: me } = useMe();
  if (!me) return null;
  const first = screensOf(me)[0];
  if (first && first.to !== '/') return <Navigate to={first.to} replace />;
  return <Suspense>{me.home === 'operator' ? <Work /> : <Start />}</Suspense>;
}
