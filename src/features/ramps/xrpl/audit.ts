/** For the audit: nobody is there when a flow ends. */
export const ended = (
  { client_id, user_id }: { readonly client_id: number; readonly user_id: number },
  action: string,
  operation: string,
) => ({ action, actor: null, client_id, subject_user_id: user_id, details: { operation } });
