import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange, useMe, usePages } from '../data.ts';
import type { EventOfApi } from '../developer-shapes.ts';
import { showNotice } from '../notice.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Ident } from '../ui/ident.tsx';
import { Json } from '../ui/json.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { More } from '../ui/more.tsx';
import { Page } from '../ui/page.tsx';
import { Table } from '../ui/table.tsx';
import { When } from '../ui/when.tsx';
import { say } from '../words/say.ts';

/** What has happened, as webhooks tell it. */
export function EventsPage() {
  const { type, object } = useSearch({ from: '/events' });
  const navigate = useNavigate();
  const events = usePages(
    'GET /events',
    { limit: 50, type, object },
    ({ data }) => data.next_before,
  );
  return (
    <Page title="Events">
      <div className="filters">
        <Form
          key={`${type} ${object}`}
          send="Show"
          onSend={(wanted) =>
            navigate({
              to: '/events',
              search: Object.fromEntries(Object.entries(wanted).filter(([, text]) => text !== '')),
              replace: true,
            })
          }
        >
          <Field label="Type" name="type" placeholder="payment.*" defaultValue={type} />
          <Field label="Object" name="object" placeholder="payment:TOPUP-…" defaultValue={object} />
        </Form>
      </div>
      <Loaded of={events}>
        {({ pages }) => <Events rows={pages.flatMap(({ data }) => data.events)} />}
      </Loaded>
      <More of={events} />
    </Page>
  );
}

function Events({ rows }: { rows: readonly EventOfApi[] }) {
  const [shown, show] = useState<EventOfApi>();
  return (
    <>
      <Table
        label="Events, newest first"
        rows={rows}
        keyOf={({ id }) => id}
        empty="There is no such event."
        columns={[
          { head: 'When', cell: ({ timestamp }) => <When at={timestamp} /> },
          { head: 'Type', cell: ({ type }) => <strong>{type}</strong> },
          {
            head: 'Object',
            cell: ({ object }) => (
              <>
                <span className="soft">{object.type}</span> <Ident id={object.id} search />
              </>
            ),
          },
          { head: 'Id', cell: ({ id }) => <Ident id={id} search /> },
          {
            head: 'Action',
            isAction: true,
            cell: (one) => <Button onClick={() => show(one)}>Contents</Button>,
          },
        ]}
      />
      {shown && <Contents of={shown} onClose={() => show(undefined)} />}
    </>
  );
}

function Contents({ of, onClose }: { of: EventOfApi; onClose: () => void }) {
  const { data: me } = useMe();
  const { mutateAsync } = useChange('POST /events/{event_id}/resend');
  const resend = async () => {
    const { data } = await mutateAsync({ params: { event_id: of.id }, body: {} });
    showNotice(say('Sent again to {count} endpoints', { count: data.endpoints.length }));
    onClose();
  };
  const fixture = JSON.stringify(of, undefined, 2);
  return (
    <Dialog title={of.type} onClose={onClose}>
      <Json value={of} />
      <div className="buttons">
        <Button
          onClick={() =>
            void navigator.clipboard
              .writeText(fixture)
              .then(() => showNotice(say('Copied as a fixture')))
          }
        >
          Copy as a fixture
        </Button>
        {me?.may.includes('developers:write') && (
          <Button onClick={() => void resend()}>Send again</Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
