import { Link } from '@tanstack/react-router';
import { money } from '../amount.ts';
import { useAsk, useChange } from '../data.ts';
import type { Wallet } from '../shapes.ts';
import { Act } from '../ui/act.tsx';
import { Area } from '../ui/field.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Part } from '../ui/page.tsx';
import { Table } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';

/** A user's wallets, each with its own freeze. */
export function Wallets({ user_id }: { user_id: number }) {
  const found = useAsk('GET /wallets/fiat/{user_id}', { params: { user_id } });
  return (
    <Part title="Wallets">
      <Loaded of={found}>
        {({ data: { wallets } }) => (
          <Table
            label="Wallets of the person"
            rows={wallets}
            keyOf={({ wallet_id }) => wallet_id}
            empty="There is no wallet yet."
            columns={[
              {
                head: 'Number',
                cell: ({ wallet_id }) => (
                  <Link to="/wallets/$id" params={{ id: String(wallet_id) }}>
                    {wallet_id}
                  </Link>
                ),
              },
              {
                head: 'Balance',
                isNumber: true,
                cell: ({ balance, currency }) => money(balance, currency),
              },
              {
                head: 'Held',
                isNumber: true,
                cell: ({ held, currency }) => money(held, currency),
              },
              {
                head: 'Available',
                isNumber: true,
                cell: ({ available, currency }) => money(available, currency),
              },
              {
                head: 'Status',
                cell: ({ is_frozen }) => <Tag word={is_frozen ? 'FROZEN' : 'ACTIVE'} />,
              },
              { head: 'Action', isAction: true, cell: (wallet) => <Freeze wallet={wallet} /> },
            ]}
          />
        )}
      </Loaded>
    </Part>
  );
}

/** The button that fits the present state; both need a reason. */
function Freeze({ wallet: { wallet_id, currency, is_frozen } }: { wallet: Wallet }) {
  const freeze = useChange('POST /wallets/fiat/{wallet_id}/freeze');
  const unfreeze = useChange('POST /wallets/fiat/{wallet_id}/unfreeze');
  const name = `${currency} wallet ${wallet_id}`;
  return (
    <Act
      key={String(is_frozen)}
      verb={is_frozen ? 'Unfreeze' : 'Freeze'}
      title={is_frozen ? `Unfreeze ${name}?` : `Freeze ${name}?`}
      done={is_frozen ? `${name} can be spent from again` : `${name} is frozen`}
      danger={!is_frozen}
      onDo={({ reason = '' }) =>
        (is_frozen ? unfreeze : freeze).mutateAsync({ params: { wallet_id }, body: { reason } })
      }
    >
      <p>
        {is_frozen
          ? 'Its owner spends from it again.'
          : 'Money comes in and none goes out, but for what was set aside before.'}
      </p>
      <Area label="Why" name="reason" hint="Stays on record." maxLength={500} required />
    </Act>
  );
}
