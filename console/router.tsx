import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent as screen,
} from '@tanstack/react-router';
import { HomePage } from './pages/home.tsx';
import { NowherePage } from './pages/nowhere.tsx';
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

/** Each screen is loaded when it is opened. */
const routeTree = root.addChildren([
  createRoute({ ...at('/'), component: HomePage }),
  createRoute({
    ...at('/timeline'),
    component: screen(() => import('./pages/timeline.tsx'), 'TimelinePage'),
    validateSearch: only('q', 'kinds'),
  }),
  createRoute({
    ...at('/payments'),
    component: screen(() => import('./pages/payments.tsx'), 'PaymentsPage'),
    validateSearch: only(...PAYMENT_FILTERS),
  }),
  createRoute({
    ...at('/payments/$id'),
    component: screen(() => import('./pages/payment.tsx'), 'PaymentPage'),
  }),
  createRoute({
    ...at('/figures'),
    component: screen(() => import('./pages/figures.tsx'), 'FiguresPage'),
    validateSearch: only('client_id'),
  }),
  createRoute({
    ...at('/wallets/$id'),
    component: screen(() => import('./pages/wallet.tsx'), 'WalletPage'),
    validateSearch: only('at'),
  }),
  createRoute({
    ...at('/payouts'),
    component: screen(() => import('./pages/payouts.tsx'), 'PayoutsPage'),
  }),
  createRoute({
    ...at('/payouts/$id'),
    component: screen(() => import('./pages/batch.tsx'), 'BatchPage'),
  }),
  createRoute({
    ...at('/approvals'),
    component: screen(() => import('./pages/approvals.tsx'), 'ApprovalsPage'),
    validateSearch: only('status'),
  }),
  createRoute({
    ...at('/invoices'),
    component: screen(() => import('./pages/invoices.tsx'), 'InvoicesPage'),
  }),
  createRoute({
    ...at('/invoices/$id'),
    component: screen(() => import('./pages/invoice.tsx'), 'InvoicePage'),
  }),
  createRoute({
    ...at('/webhooks'),
    component: screen(() => import('./pages/webhooks.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    ...at('/webhooks/$id'),
    component: screen(() => import('./pages/webhook.tsx'), 'WebhookPage'),
  }),
  createRoute({
    ...at('/events'),
    component: screen(() => import('./pages/events.tsx'), 'EventsPage'),
    validateSearch: only('type', 'object'),
  }),
  createRoute({ ...at('/keys'), component: screen(() => import('./pages/keys.tsx'), 'KeysPage') }),
  createRoute({ ...at('/team'), component: screen(() => import('./pages/team.tsx'), 'TeamPage') }),
  createRoute({
    ...at('/requests'),
    component: screen(() => import('./pages/requests.tsx'), 'RequestsPage'),
    validateSearch: only('path', 'error_code', 'status'),
  }),
  createRoute({
    ...at('/clients'),
    component: screen(() => import('./pages/clients.tsx'), 'ClientsPage'),
  }),
  createRoute({
    ...at('/orders'),
    component: screen(() => import('./pages/orders.tsx'), 'OrdersPage'),
  }),
  createRoute({
    ...at('/adjustments'),
    component: screen(() => import('./pages/adjustments.tsx'), 'AdjustmentsPage'),
    validateSearch: only('status'),
  }),
  createRoute({
    ...at('/adjustments/$id'),
    component: screen(() => import('./pages/adjustment.tsx'), 'AdjustmentPage'),
  }),
  createRoute({
    ...at('/reconciliation'),
    component: screen(() => import('./pages/reconciliation.tsx'), 'ReconciliationPage'),
    validateSearch: only('state', 'rail'),
  }),
  createRoute({
    ...at('/audit'),
    component: screen(() => import('./pages/audit.tsx'), 'AuditPage'),
    validateSearch: only('action'),
  }),
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
