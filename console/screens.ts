import type { Me } from './shapes.ts';

interface Screen {
  readonly to: string;
  readonly name: string;
  /** After `g` it goes there. */
  readonly letter: string;
  /** What of the role it needs: its own reads. */
  readonly needs: string;
  /** Of the operator's people alone, or of a client's. */
  readonly isOf?: 'operator' | 'client';
}

/** Every screen, in the order of the menu. */
const SCREENS = [
  { to: '/', name: 'Work', letter: 'h', needs: 'desk:read', isOf: 'operator' },
  { to: '/', name: 'Home', letter: 'h', needs: 'payments:read', isOf: 'client' },
  { to: '/payments', name: 'Payments', letter: 'p', needs: 'payments:read' },
  { to: '/figures', name: 'Figures', letter: 'f', needs: 'payments:read', isOf: 'operator' },
  { to: '/timeline', name: 'Timeline', letter: 't', needs: 'desk:read', isOf: 'operator' },
  { to: '/payouts', name: 'Payouts', letter: 'o', needs: 'payouts:read' },
  { to: '/approvals', name: 'Approvals', letter: 'a', needs: 'approvals:read' },
  { to: '/invoices', name: 'Invoices', letter: 'i', needs: 'payments:read' },
  { to: '/clients', name: 'Clients', letter: 'c', needs: 'settings:read', isOf: 'operator' },
  { to: '/orders', name: 'Orders', letter: 'd', needs: 'desk:read', isOf: 'operator' },
  { to: '/adjustments', name: 'Adjustments', letter: 'j', needs: 'books:read', isOf: 'operator' },
  {
    to: '/reconciliation',
    name: 'Reconciliation',
    letter: 'r',
    needs: 'books:read',
    isOf: 'operator',
  },
  { to: '/webhooks', name: 'Webhooks', letter: 'w', needs: 'developers:read' },
  { to: '/events', name: 'Events', letter: 'e', needs: 'developers:read' },
  { to: '/keys', name: 'API keys', letter: 'k', needs: 'developers:read' },
  { to: '/requests', name: 'Requests', letter: 'q', needs: 'developers:read' },
  { to: '/team', name: 'Team', letter: 'm', needs: 'team:read' },
  { to: '/audit', name: 'Audit', letter: 'u', needs: 'audit:read' },
] as const satisfies readonly Screen[];
export type KnownScreen = (typeof SCREENS)[number];

type Reader = Pick<Me, 'home' | 'may'>;

/** Those that somebody may open. The service decides; the page only leaves out what would be refused. */
export const screensOf = ({ home, may }: Reader): readonly KnownScreen[] =>
  SCREENS.filter(
    (one: KnownScreen) => may.includes(one.needs) && (!('isOf' in one) || one.isOf === home),
  );

/** Whether an address is of a screen that somebody may not open. */
export function isClosed(me: Reader, path: string): boolean {
  const of = SCREENS.find(({ to }) => to !== '/' && (path === to || path.startsWith(`${to}/`)));
  return of !== undefined && !screensOf(me).some(({ to }) => to === of.to);
}
