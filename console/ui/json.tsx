import { Ident } from './ident.tsx';

/** Anything, for those who have to see all of it. */
export const Json = ({ value }: { value: unknown }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it by its keys.
  <pre tabIndex={0}>{JSON.stringify(value, undefined, 2)}</pre>
);

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** These are names themselves: the first lead to what has happened, the other is found in the logs. */
const NAMES = ['operation', 'reference', 'reference_id'];
const IN_LOGS = 'request_id';

interface DetailsProps {
  readonly value: unknown;
  /** Of what lies deeper, what is to be seen at once. */
  readonly also?: object;
}

/** What can be said in a line, side by side, and all of it behind a click where there is more. */
export function Details({ value, also = {} }: DetailsProps) {
  const fields = Object.entries(value ?? {}).filter(([, field]) => field !== null);
  const shown = [...fields, ...Object.entries(also)].filter(([, field]) => isPlain(field));
  return (
    <>
      {shown.length > 0 && (
        <dl className="pairs">
          {shown.map(([name, field]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Value name={name} text={String(field)} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {fields.some(([, field]) => !isPlain(field)) && (
        <details>
          <summary>All of it</summary>
          <Json value={value} />
        </details>
      )}
    </>
  );
}

const Value = ({ name, text }: { name: string; text: string }) =>
  NAMES.includes(name) || name === IN_LOGS ? <Ident id={text} search={name !== IN_LOGS} /> : text;
