/** The win context as a value: absent fields are those that nobody has entered. */
import type { Context, ContextDto, ContextField, WinKind } from '../api/types';

export const isSelfDrawn = (win: WinKind | undefined): boolean =>
  win === 'self_drawn' || win === 'kong_replacement';

/** Changes one field; `undefined` removes it. */
export function withField<F extends ContextField>(
  context: Context,
  field: F,
  value: Context[F] | undefined,
): Context {
  const { [field]: _, ...rest } = context;
  return (value === undefined ? rest : { ...rest, [field]: value }) as Context;
}

/** The context that the service sent, without the fields that it left empty. */
export const fromDto = (dto: ContextDto | Context | undefined): Context =>
  Object.fromEntries(Object.entries(dto ?? {}).filter(([, value]) => value !== null));
