import { inSpan, isTracing } from '../trace.ts';
import type { Answerer } from './answer.ts';
import type { Route } from './route.ts';

/** Answers within a trace span named after the route, if anybody listens. */
export function traced(route: Route, answer: Answerer): Answerer {
  if (!isTracing()) return answer;
  return (request, reply) =>
    inSpan(route.id, () => answer(request, reply), {
      'http.request.method': request.method,
      'http.route': route.id.split(' ')[1] ?? '',
      'archipay.request_id': request.id,
    });
}
