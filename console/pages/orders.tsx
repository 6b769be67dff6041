import { useChange, usePages } from '../data.ts';
import type { ChangeOrder } from '../stop-shapes.ts';
import { Act } from '../ui/act.tsx';
import { Ident } from '../ui/ident.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { More } from '../ui/more.tsx';
import { Page } from '../ui/page.tsx';
import { Table } from '../ui/table.tsx';
import { When } from '../ui/when.tsx';

/** Operators' orders to change accounts that are not due yet. */
export function OrdersPage() {
  const orders = usePages(
    'GET /desk/orders',
    { limit: 50 },
    ({ data }) => data.pagination.next_before,
  );
  return (
    <Page title="Orders">
      <Loaded of={orders}>
        {({ pages }) => (
          <Table
            label="Changes of accounts that are still to take effect, newest first"
            rows={pages.flatMap(({ data }) => data.orders)}
            keyOf={({ change_id }) => change_id}
            empty="No order is still to take effect."
            columns={[
              { head: 'What', cell: (order) => <What order={order} /> },
              { head: 'Of user', cell: ({ user_id }) => <Ident id={String(user_id)} search /> },
              { head: 'Client', cell: ({ client_id }) => client_id, isNumber: true },
              { head: 'Ordered by', cell: ({ ordered_by }) => <By user_id={ordered_by} /> },
              { head: 'Ordered', cell: ({ created_at }) => <When at={created_at} /> },
              {
                head: 'Takes effect',
                cell: ({ takes_effect_at }) => <When at={takes_effect_at} />,
              },
              { head: 'Action', isAction: true, cell: (order) => <CallOff order={order} /> },
            ]}
          />
        )}
      </Loaded>
      <More of={orders} />
    </Page>
  );
}

const What = ({ order: { kind, subject } }: { order: ChangeOrder }) => (
  <>
    <strong>{kind}</strong>
    <br />
    {subject && <Ident id={subject} />}
  </>
);

const By = ({ user_id }: { user_id: number | null }) =>
  user_id === null ? <span className="soft">unknown</span> : <Ident id={String(user_id)} search />;

function CallOff({ order: { user_id, change_id, kind } }: { order: ChangeOrder }) {
  const { mutateAsync } = useChange('DELETE /users/{user_id}/pending-changes/{change_id}');
  return (
    <Act
      verb="Call off"
      title={`Call off the ${kind} of user ${user_id}?`}
      done={`The ${kind} of user ${user_id} is called off`}
      danger
      onDo={() => mutateAsync({ params: { user_id, change_id } })}
    >
      <p>The account stays as it is. The change can be ordered again.</p>
    </Act>
  );
}
