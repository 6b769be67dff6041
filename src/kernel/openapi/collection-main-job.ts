/** A request of the collection. */
export interface CollectionItem {
  readonly name: string;
  readonly request: { readonly url: { readonly variable: readonly { readonly key: string }[] } };
  readonly event?: readonly { readonly script: { readonly exec: readonly string[] } }[];
}

/** The requests of the main job in their order, and which field of an answer a later one needs. */
const STEPS: readonly (readonly [operation: string, keeps?: readonly [string, string]])[] = [
  ['authLogIn'],
  ['fiatWalletsOpen', ['walletId', 'data.wallet_id']],
  ['cardsTopUp'],
  ['fiatWalletsListTransactions'],
];

/** The first folder: a log-in, a wallet, a top-up and the statement, each of which checks its answer. */
export function mainJobOf(find: (operation: string) => CollectionItem | undefined) {
  const found = STEPS.flatMap(([operation, keeps]) => {
    const one = find(operation);
    return one === undefined ? [] : [stepOf(one, keeps)];
  });
  return {
    name: 'The main job',
    description: 'A log-in, a wallet, a top-up from a card and the statement: sent in this order.',
    item: found.length === STEPS.length ? found : [],
  };
}

function stepOf({ event = [], ...item }: CollectionItem, keeps?: readonly [string, string]) {
  const { url } = item.request;
  const variable = url.variable.map((one) =>
    one.key === 'wallet_id' ? { ...one, value: '{{walletId}}' } : one,
  );
  const exec = [
    ...event.flatMap(({ script }) => script.exec),
    `pm.test(${JSON.stringify(`${item.name}: 200`)}, () => pm.response.to.have.status(200));`,
    ...(keeps
      ? [`pm.collectionVariables.set('${keeps[0]}', String(pm.response.json().${keeps[1]}));`]
      : []),
  ];
  return {
    ...item,
    request: { ...item.request, url: { ...url, variable } },
    event: [{ listen: 'test', script: { exec } }],
  };
}
