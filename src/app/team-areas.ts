import type { Route } from '#kernel/http/declare/route.ts';
import type { TeamArea } from '#kernel/http/declare/team-mark.ts';

/**
 * The area of the team's roles that operations belong to, by the first part of their names: to read is GET. A family
 * of which one moves money is of payments unless it stands here; what is in no area is for owners. An endpoint says
 * `team` where it differs.
 */
const AREAS: Readonly<Partial<Record<TeamArea, readonly string[]>>> = {
  own: [
    ...[
      'auth',
      'console',
      'externalLogin',
      'mcp',
      'mobile',
      'oauth',
      'passkeys',
      'password',
      'profile',
    ],
    ...['rewards', 'sessions', 'stepUp', 'twoFactor'],
  ],
  payments: [
    ...['balanceMonitors', 'cryptoWallets', 'fiatWallets', 'networks', 'payments', 'testnet'],
    ...['tokens', 'walletProofs'],
  ],
  refunds: ['invoiceRefunds'],
  payouts: ['batches', 'recipients', 'walletTransfers', 'withdrawals'],
  approvals: ['approvals'],
  people: ['admins', 'partnerCustomers', 'users', 'verification'],
  files: ['files'],
  cards: [
    ...['cardDecisions', 'cardDisputes', 'cardTransactions', 'decisionWebhook', 'issuedCards'],
  ],
  developers: ['events', 'keys', 'requestLogs', 'webhookEndpoints'],
  team: ['team'],
  settings: ['clients', 'feeSettings', 'fees', 'instances', 'policies'],
  desk: ['desk'],
  books: ['adjustments', 'reconciliation'],
};

const LISTED = (Object.entries(AREAS) as [TeamArea, readonly string[]][]).flatMap(
  ([area, families]) => families.map((family) => [family, area] as const),
);

/** Routes with what each asks of the role of an admin. */
export function withTeamMarks(routes: readonly Route[]): Route[] {
  const paying = routes.filter(({ endpoint }) => endpoint.movesMoney).map(familyOf);
  const areas = new Map<string, TeamArea>([
    ...paying.map((family) => [family, 'payments'] as const),
    ...LISTED,
  ]);
  return routes.map((route) => marked(route, areas.get(familyOf(route))));
}

const familyOf = ({ endpoint }: Route): string => endpoint.name.split('.')[0] ?? '';

function marked(route: Route, area: TeamArea | undefined): Route {
  const { id, endpoint } = route;
  if (endpoint.team || area === undefined) return route;
  const team = `${area}:${id.startsWith('GET ') ? 'read' : 'write'}` as const;
  return { ...route, endpoint: { ...endpoint, team } };
}
