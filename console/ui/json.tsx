/** Anything, for those who have to see all of it. */
export const Json = ({ value }: { value: unknown }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it by its keys.
  <pre tabIndex={0}>{JSON.stringify(value, undefined, 2)}</pre>
);

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** What can be said in a line, side by side, and all of it behind a click where there is more. */
export function Details({ value }: { value: unknown }) {
  const fields = Object.entries(value ?? {}).filter(([, field]) => field !== null);
  const plain = fields.filter((entry): entry is [string, string | number] => isPlain(entry[1]));
  return (
    <>
      {plain.length > 0 && (
        <dl className="pairs">
          {plain.map(([name, field]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{String(field)}</dd>
            </div>
          ))}
        </dl>
      )}
      {plain.length < fields.length && (
        <details>
          <summary>All of it</summary>
          <Json value={value} />
        </details>
      )}
    </>
  );
}
