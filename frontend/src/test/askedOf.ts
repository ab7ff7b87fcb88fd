/** What a request asks of the server, by the path without the host. */
export async function askedOf(request: Request): Promise<{ method: string; path: string; body: unknown }> {
  const { pathname, search } = new URL(request.url);
  const body = await request.text();
  return { method: request.method, path: pathname + search, body: body ? JSON.parse(body) : undefined };
}
