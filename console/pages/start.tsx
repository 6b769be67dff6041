import { Link } from '@tanstack/react-router';
import { money } from '../amount.ts';
import { SOON_MS, useAsk, useMe } from '../data.ts';
import type { Me } from '../shapes.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Page, Part } from '../ui/page.tsx';
import { Table } from '../ui/table.tsx';
import { say } from '../words/say.ts';
import { Figures } from './figures.tsx';
import { PaymentTable } from './payments.tsx';

/** The first screen of a client's people: what waits, how it goes, what there is, what came last. */
export function StartPage() {
  const { data: me } = useMe();
  if (!me) return null;
  return (
    <Page title="Home">
      <Waiting me={me} />
      {me.may.includes('payments:read') && (
        <>
          <Figures />
          <Balances user_id={me.user.user_id} />
          <Latest />
        </>
      )}
    </Page>
  );
}

/** Only what there is, each with the way to it. */
function Waiting({ me: { may } }: { me: Me }) {
  const lines = [
    may.includes('approvals:read') && <Approvals key="approvals" />,
    may.includes('payments:read') && <InDoubt key="doubt" />,
    may.includes('developers:read') && <Failing key="failing" />,
  ];
  return (
    <section className="waits" aria-label={say('What waits')}>
      <ul>{lines}</ul>
      <p className="calm">{say('Nothing waits for you.')}</p>
    </section>
  );
}

const countOf = (rows: readonly unknown[] | undefined, more: boolean): string =>
  `${rows?.length ?? 0}${more ? '+' : ''}`;

function Approvals() {
  const query = { status: 'PENDING', limit: 20 } as const;
  const { data } = useAsk('GET /approvals', { query }, { every: SOON_MS });
  const { items = [], next_cursor = null } = data?.data ?? {};
  if (items.length === 0) return null;
  const count = countOf(items, next_cursor !== null);
  return (
    <li>
      <Link to="/approvals">{say('{count} for approval', { count })}</Link>
    </li>
  );
}

function InDoubt() {
  const query = { in_doubt: 'true', limit: 20 } as const;
  const { data } = useAsk('GET /payments', { query }, { every: SOON_MS });
  const { items = [], next_cursor = null } = data?.data ?? {};
  if (items.length === 0) return null;
  const count = countOf(items, next_cursor !== null);
  return (
    <li>
      <Link to="/payments" search={{ in_doubt: 'true' }}>
        {say('{count} payments whose outcome is unknown', { count })}
      </Link>
    </li>
  );
}

function Failing() {
  const { data } = useAsk('GET /webhook-endpoints', { query: {} }, { every: 6 * SOON_MS });
  const bad = (data?.data.endpoints ?? []).filter(
    ({ status }) => status === 'failing' || status === 'disabled',
  );
  if (bad.length === 0) return null;
  return (
    <li>
      <Link to="/webhooks">
        {say('{count} webhook endpoints do not answer', { count: bad.length })}
      </Link>
    </li>
  );
}

function Balances({ user_id }: { user_id: number }) {
  const found = useAsk('GET /wallets/fiat/{user_id}', { params: { user_id } });
  return (
    <Part title="Your wallets">
      <Loaded of={found}>
        {({ data: { wallets } }) => (
          <Table
            label="Your wallets"
            rows={wallets}
            keyOf={({ wallet_id }) => wallet_id}
            empty="There is no wallet yet."
            columns={[
              { head: 'Currency', cell: ({ currency }) => <strong>{currency}</strong> },
              {
                head: 'Available',
                isNumber: true,
                cell: ({ available, currency }) => money(available, currency),
              },
              {
                head: 'Held',
                isNumber: true,
                cell: ({ held, currency }) => money(held, currency),
              },
              {
                head: 'Action',
                isAction: true,
                cell: ({ wallet_id }) => (
                  <Link
                    className="button plain"
                    to="/wallets/$id"
                    params={{ id: String(wallet_id) }}
                  >
                    {say('Explain')}
                  </Link>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Part>
  );
}

function Latest() {
  const found = useAsk('GET /payments', { query: { limit: 10 } }, { every: SOON_MS });
  return (
    <Part title="Latest payments">
      <Loaded of={found}>
        {({ data }) => <PaymentTable rows={data.items} empty="There is no payment yet." />}
      </Loaded>
    </Part>
  );
}
