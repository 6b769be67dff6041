/** A filter of a list by the caller's reference: of objects of one type, whose ids and clients the list has. */
export const referenceRule =
  (type: string) =>
  (parameter: string): string =>
    `exists (select from caller_names n where n.object_type = '${type}' and n.object_id = t.object_id
      and n.client_id = t.client_id and n.reference = ${parameter})`;
