import type { Me } from './shapes.ts';

interface Screen {
  readonly to: string;
  readonly name: string;
  /** What of the role it needs: its own reads. */
  readonly needs: string;
  /** Of the operator's people alone. */
  readonly isOperators?: true;
}

/** Every screen, in the order of the menu. */
const SCREENS = [
  { to: '/', name: 'Work', needs: 'desk:read', isOperators: true },
  { to: '/payments', name: 'Payments', needs: 'payments:read' },
  { to: '/timeline', name: 'Timeline', needs: 'desk:read', isOperators: true },
  { to: '/clients', name: 'Clients', needs: 'settings:read', isOperators: true },
  { to: '/orders', name: 'Orders', needs: 'desk:read', isOperators: true },
  { to: '/adjustments', name: 'Adjustments', needs: 'books:read', isOperators: true },
  { to: '/reconciliation', name: 'Reconciliation', needs: 'books:read', isOperators: true },
  { to: '/requests', name: 'Requests', needs: 'developers:read' },
  { to: '/team', name: 'Team', needs: 'team:read' },
  { to: '/audit', name: 'Audit', needs: 'audit:read' },
] as const satisfies readonly Screen[];
export type KnownScreen = (typeof SCREENS)[number];

type Reader = Pick<Me, 'home' | 'may'>;

/** Those that somebody may open. The service decides; the page only leaves out what would be refused. */
export const screensOf = ({ home, may }: Reader): readonly KnownScreen[] =>
  SCREENS.filter(
    (one: KnownScreen) =>
      may.includes(one.needs) && (home === 'operator' || !('isOperators' in one)),
  );

/** Whether an address is of a screen that somebody may not open. */
export function isClosed(me: Reader, path: string): boolean {
  const of = SCREENS.find(({ to }) => to !== '/' && (path === to || path.startsWith(`${to}/`)));
  return of !== undefined && !screensOf(me).some(({ to }) => to === of.to);
}
