import type { Answerer } from '#kernel/http/answer/answer.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import { inSpan, isTracing, traceId } from '../../trace.ts';

/** Answers within a trace span named after the route, if anybody listens. */
export function traced(route: Route, answer: Answerer): Answerer {
  if (!isTracing()) return answer;
  const begin: Answerer = (request, reply) => {
    request.trace_id = traceId();
    return answer(request, reply);
  };
  return (request, reply) =>
    inSpan(route.id, () => begin(request, reply), {
      'http.request.method': request.method,
      'http.route': route.id.split(' ')[1] ?? '',
      'archipay.request_id': request.id,
    });
}
