import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { AdjustmentPage } from './pages/adjustment.tsx';
import { AdjustmentsPage } from './pages/adjustments.tsx';
import { AuditPage } from './pages/audit.tsx';
import { ClientsPage } from './pages/clients.tsx';
import { NowherePage } from './pages/nowhere.tsx';
import { OrdersPage } from './pages/orders.tsx';
import { PaymentPage } from './pages/payment.tsx';
import { PaymentsPage } from './pages/payments.tsx';
import { ReconciliationPage } from './pages/reconciliation.tsx';
import { TimelinePage } from './pages/timeline.tsx';
import { WorkPage } from './pages/work.tsx';
import { PAYMENT_FILTERS } from './payment-shapes.ts';
import { Root } from './root.tsx';

type Search = Readonly<Record<string, unknown>>;

/** The parameters of the address that a screen knows; all are text. */
const only =
  <N extends string>(...names: readonly N[]) =>
  (search: Search): { [name in N]?: string } =>
    Object.fromEntries(
      names.flatMap((name) => (search[name] ? [[name, String(search[name])]] : [])),
    ) as { [name in N]?: string };

const root = createRootRoute({ component: Root, notFoundComponent: NowherePage });
const at = <P extends string>(path: P) => ({ getParentRoute: () => root, path });

const routeTree = root.addChildren([
  createRoute({ ...at('/'), component: WorkPage }),
  createRoute({ ...at('/timeline'), component: TimelinePage, validateSearch: only('q', 'kinds') }),
  createRoute({
    ...at('/payments'),
    component: PaymentsPage,
    validateSearch: only(...PAYMENT_FILTERS),
  }),
  createRoute({ ...at('/payments/$id'), component: PaymentPage }),
  createRoute({ ...at('/clients'), component: ClientsPage }),
  createRoute({ ...at('/orders'), component: OrdersPage }),
  createRoute({
    ...at('/adjustments'),
    component: AdjustmentsPage,
    validateSearch: only('status'),
  }),
  createRoute({ ...at('/adjustments/$id'), component: AdjustmentPage }),
  createRoute({
    ...at('/reconciliation'),
    component: ReconciliationPage,
    validateSearch: only('state', 'rail'),
  }),
  createRoute({ ...at('/audit'), component: AuditPage, validateSearch: only('action') }),
]);

export const router = createRouter({
  routeTree,
  basepath: '/console',
  scrollRestoration: true,
  // A name of digits is a name: the router's own parser would make a number of it.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined);
    const text = new URLSearchParams(
      given.map(([name, value]) => [name, String(value)]),
    ).toString();
    return text && `?${text}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
