import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openQuestion } from '../../../src/questions/schema.ts'
import { type Body, type Serving, send, serve } from '../../http/serving.ts'
import {
  answering,
  asked,
  changeOf,
  decided,
  decision,
  eventually,
  memory,
  onlyAsked,
  type Person,
  person,
  remembered,
  search,
  team,
} from '../resolving.ts'

let serving: Serving
let ann: Person
let bob: Person
beforeAll(async () => {
  serving = await serve()
  ann = await person(serving, 'ann', [team])
  bob = await person(serving, 'bob')
})
afterAll(() => serving.stop())

const hits = async (who: Person, q: string) =>
  (await search(who, { q, limit: 5 })).items.map(({ id }: { id: string }) => id)

const conflictsWith = ({ conflicts }: Body, id: string): Body[] => conflicts.filter((one: Body) => one.source.id === id)

describe('answering a question about a doubtful fact', () => {
  it('keeps a confirmed fact in force, closes the question and stores who answered', async () => {
    const id = await remembered(ann, 'I think the quince hall opens at seven.')
    const question = openQuestion.parse(await onlyAsked(ann, 'memory', id))
    expect(question).toMatchObject({ reason: 'low_confidence', claim: 'I think the quince hall opens at seven.' })
    expect(question.question_id).toMatch(/^fact:[0-9a-f-]{36}$/)
    const { status, body } = await answering(bob, {
      question_id: question.question_id,
      resolution: 'confirm',
      note: 'Seen on the door.',
    })
    expect([status, body.state, body.operation, body.entity.id]).toEqual([200, 'applied', 'context.resolve', id])
    const now = await memory(ann, id)
    expect(now).toMatchObject({ in_force: true, superseded_by: [] })
    expect(now.confirmed_at).toBeDefined()
    expect(now.answers).toMatchObject([
      { question_id: question.question_id, resolution: 'confirm', note: 'Seen on the door.', answered_by: 'bob' },
    ])
    expect(await asked(ann, 'memory', id)).toEqual([])
    expect(await hits(ann, 'quince hall opens')).toContain(id)
  })

  it.each(['answer', 'correct'])(
    'refuses a note that says nothing, because it would replace the claim (%s)',
    async (resolution) => {
      const id = await remembered(ann, `I think the ${resolution} rope is ten metres long.`)
      const { question_id } = await onlyAsked(ann, 'memory', id)
      for (const note of ['Yes.', 'no', 'right']) {
        const { status, body } = await answering(bob, { question_id, resolution, note })
        expect([status, body.code, body.detail]).toEqual([
          400,
          'invalid_request',
          expect.stringContaining('use confirm'),
        ])
      }
      expect(await asked(ann, 'memory', id)).toHaveLength(1)
    },
  )

  it('asks about a sentence without a subject together with the one before it, and retracts only the doubted one', async () => {
    const [before, doubted] = ['The larch hall was damp for three nights.', 'Probably the logger.']
    const ids = [await remembered(ann, `${before} ${doubted}`), await remembered(ann, `In May ${before} ${doubted}`)]
    const [id, confirmed] = ids as [string, string]
    for (const one of ids) {
      const question = await onlyAsked(ann, 'memory', one)
      expect(question).toMatchObject({
        reason: 'low_confidence',
        claim: expect.stringContaining(`${before} ${doubted}`),
      })
      const answer =
        one === id ? { resolution: 'correct', note: 'The larch hall logger was broken.' } : { resolution: 'confirm' }
      expect((await answering(ann, { question_id: question.question_id, ...answer })).body.state).toBe('applied')
    }
    const found = await memory(ann, id)
    expect(found).toMatchObject({ in_force: true, superseded_claims: [{ claim: doubted }] })
    expect(await memory(ann, confirmed)).toMatchObject({ in_force: true, superseded_claims: [] })
    expect(await asked(ann, 'memory', id)).toEqual([])
    const { body } = await send(ann.url, 'GET', '/v1/context/brief?query=larch+hall', { key: ann.key })
    expect(body.markdown).toContain(`${before} (`)
    expect(body.markdown).toContain(`“${doubted}” no longer holds. The larch hall logger was broken.`)
  })

  it.each(['correct', 'answer'])('supersedes the fact by the note if the resolution is %s', async (resolution) => {
    const id = await remembered(ann, `I think the medlar hall closes at ${resolution === 'correct' ? 'six' : 'nine'}.`)
    const { question_id } = await onlyAsked(ann, 'memory', id)
    const note = `The medlar hall closes at eight, says the ${resolution}.`
    const { body } = await answering(bob, { question_id, resolution, note })
    expect(body.entity).toMatchObject({ type: 'memory', label: note })
    expect(body.correction).toMatchObject({ available: true })
    const made = body.entity.id
    expect(await memory(ann, made)).toMatchObject({
      kind: 'correction',
      content: note,
      corrects_memory_id: id,
      in_force: true,
    })
    expect(await memory(ann, id)).toMatchObject({ in_force: false, superseded_by: [{ id: made }], answers: [{ made }] })
    const found = await search(ann, { q: `medlar hall closes ${resolution === 'correct' ? 'six' : 'nine'}` })
    const ids = found.items.map((item: { id: string }) => item.id)
    expect(ids).toContain(made)
    expect(ids).not.toContain(id)
    expect(conflictsWith(found, id)).toMatchObject([{ superseded_by: { id: made } }])
    expect(await changeOf(ann, id)).toMatchObject({ change_type: 'superseded', replacement_id: made })
  })

  it('leaves the fact unchanged if the question is dismissed, and never asks again', async () => {
    const content = 'Orders of sloe need two signatures.'
    const sources = [{ type: 'mail', id: 'mail-1' }]
    const id = await remembered(ann, content, { kind: 'constraint', sources })
    const question = await onlyAsked(ann, 'memory', id)
    expect(question).toMatchObject({ reason: 'single_source', claim: content })
    const { body } = await answering(bob, { question_id: question.question_id, resolution: 'dismiss' })
    expect(body).toMatchObject({ state: 'applied', entity: { type: 'question' } })
    expect(await memory(ann, id)).toMatchObject({
      in_force: true,
      answers: [{ resolution: 'dismiss', answered_by: 'bob' }],
    })
    // remembering the same fact again does not reopen the answered question
    expect(await remembered(ann, content, { kind: 'constraint', sources })).toBe(id)
    expect(await asked(ann, 'memory', id)).toEqual([])
  })
})

describe('answering the judgment of a proposal', () => {
  const propose = async (title: string) => {
    const old = await decided(ann, `${title}, as it was`, `The old way of ${title}.`)
    const more = { status: 'proposed', supersedes: [old] }
    const id = await decided(ann, title, `The new way of ${title}.`, more)
    const question = await onlyAsked(ann, 'decision', id)
    expect(question).toMatchObject({ question_id: `judgment:${id}`, reason: 'pending_judgment' })
    return { old, id, question_id: question.question_id }
  }

  it('accepts a confirmed proposal, which then supersedes its targets', async () => {
    const { old, id, question_id } = await propose('Rowan by rail')
    const { body } = await answering(bob, { question_id, resolution: 'confirm', note: 'Board of May.' })
    expect(body.entity).toMatchObject({ type: 'decision', id })
    const now = await decision(ann, id)
    expect(now).toMatchObject({ status: 'accepted', in_force: true, supersedes: [old] })
    expect(now.answers).toMatchObject([{ resolution: 'confirm', note: 'Board of May.', answered_by: 'bob' }])
    expect(await decision(ann, old)).toMatchObject({ in_force: false, superseded_by_decision_id: id })
    expect(await hits(ann, 'rowan rail')).toEqual([id])
    expect(await changeOf(ann, old)).toMatchObject({ change_type: 'superseded', replacement_id: id })
    expect(await asked(ann, 'decision', id)).toEqual([])
  })

  it('does not show a confirmed proposal as in force at a time before the answer', async () => {
    const { old, id, question_id } = await propose('Alder by rail')
    const before = new Date().toISOString()
    await answering(bob, { question_id, resolution: 'confirm' })
    const then = await search(ann, { q: 'alder rail', as_of: before })
    const ids = then.items.map((item: { id: string }) => item.id)
    expect([ids.includes(old), ids.includes(id)]).toEqual([true, false])
    expect((await decision(ann, id)).in_force).toBe(true)
  })

  it.each(['correct', 'answer'])(
    'supersedes the proposal by a new accepted decision if the resolution is %s',
    async (resolution) => {
      const { old, id, question_id } = await propose(`Hazel by ${resolution}`)
      const note = `Hazel goes by barge, the ${resolution} says.`
      const { body } = await answering(bob, { question_id, resolution, note })
      expect(body.entity).toMatchObject({ type: 'decision' })
      const made = body.entity.id
      expect(made).not.toBe(id)
      expect(await decision(ann, made)).toMatchObject({
        title: note,
        judgment: note,
        status: 'accepted',
        in_force: true,
        supersedes: [id],
      })
      expect(await decision(ann, id)).toMatchObject({ superseded_by_decision_id: made, answers: [{ made }] })
      // the target of the proposal stays in force: the question was not about it
      expect(await decision(ann, old)).toMatchObject({ in_force: true })
    },
  )

  it('keeps the title of the proposal if the note does not name what it is about', async () => {
    const { question_id } = await propose('Rowan by sledge')
    const note = 'Yes, but in winter only.'
    const { body } = await answering(bob, { question_id, resolution: 'answer', note })
    expect(await decision(ann, body.entity.id)).toMatchObject({ title: 'Rowan by sledge', judgment: note })
  })

  it('takes the second sentence of the note as the title if the first one is a single word', async () => {
    const { question_id } = await propose('Larch by sledge')
    const note = 'No. Larch goes by barge, no sledge is left.'
    const { body } = await answering(bob, { question_id, resolution: 'correct', note })
    const title = 'Larch goes by barge, no sledge is left.'
    expect(await decision(ann, body.entity.id)).toMatchObject({ title, judgment: note })
  })

  it('rejects a dismissed proposal: search shows it as rejected and sync as invalidated', async () => {
    const { old, id, question_id } = await propose('Elder by rail')
    const { body } = await answering(bob, { question_id, resolution: 'dismiss', note: 'Too dear.' })
    expect(body).toMatchObject({ state: 'applied', entity: { type: 'decision', id } })
    expect(await decision(ann, id)).toMatchObject({
      status: 'rejected',
      in_force: false,
      answers: [{ note: 'Too dear.' }],
    })
    expect(await decision(ann, old)).toMatchObject({ in_force: true })
    expect(await changeOf(ann, id)).toMatchObject({ change_type: 'invalidated' })
    const found = await search(ann, { q: 'new way of elder by rail' })
    expect(found.items).toContainEqual(expect.objectContaining({ id, title: 'Elder by rail (rejected)' }))
    expect(await asked(ann, 'decision', id)).toEqual([])
  })
})

describe('answering an explicit question of a longer record', () => {
  const record = async (what: string) => {
    const content = `Moved the ${what} to the new shed. It took a day.\n\nOpen question: who waters the ${what}?`
    const id = await remembered(ann, content, { kind: 'session_outcome' })
    const question = await onlyAsked(ann, 'memory', id)
    expect(question).toMatchObject({ reason: 'explicit_question', claim: `Open question: who waters the ${what}?` })
    expect(question.question_id).toMatch(/^clarification:/)
    return { id, question_id: question.question_id }
  }

  it.each(['answer', 'correct'])(
    'keeps the record in force and shows the note as a conflict on each hit (%s)',
    async (resolution) => {
      const what = resolution === 'answer' ? 'damson' : 'greengage'
      const { id, question_id } = await record(what)
      const note = `Carla waters the ${what}.`
      const { body } = await answering(bob, { question_id, resolution, note })
      const made = body.entity.id
      expect(await memory(ann, made)).toMatchObject({ kind: 'fact', content: note })
      expect(await memory(ann, id)).toMatchObject({ in_force: true, superseded_by: [], answers: [{ made }] })
      for (const request of [{ q: `${what} new shed` }, { references: [{ type: 'memory', id }] }, { limit: 50 }]) {
        const found = await search(ann, request)
        expect(found.items.map((item: { id: string }) => item.id)).toContain(id)
        const [conflict] = conflictsWith(found, id)
        expect(conflict).toMatchObject({ superseded_by: { id: made } })
        expect(conflict.message).toContain(`who waters the ${what}?`)
        expect(conflict.message).toContain(note)
        expect(found.open_questions.map((one: { question_id: string }) => one.question_id)).not.toContain(question_id)
      }
      // if the note itself is corrected, the conflict names the correction
      const corrected = `Dora waters the ${what}.`
      const newest = await remembered(ann, corrected, { kind: 'correction', corrects_memory_id: made })
      const { conflicts } = await search(ann, { q: `${what} new shed` })
      expect(conflicts).toContainEqual(
        expect.objectContaining({ superseded_by: expect.objectContaining({ id: newest }) }),
      )
    },
  )

  it('keeps the question before a note that means nothing without it, and does not ask it again', async () => {
    const { id, question_id } = await record('quince')
    const { body } = await answering(bob, { question_id, resolution: 'answer', note: 'Carla.' })
    const made = body.entity.id
    const content = '“Open question: who waters the quince?” Carla.'
    expect(await memory(ann, made)).toMatchObject({ kind: 'fact', content })
    expect(await asked(ann, 'memory', made)).toEqual([])
    const told = await send(ann.url, 'GET', '/v1/context/brief?query=who+waters+the+quince', { key: ann.key })
    expect(told.body.markdown).toMatch(/Answered: “who waters the quince\?” Carla\. \([\d-]+\)/)
    expect(await memory(ann, id)).toMatchObject({ answers: [{ note: 'Carla.', made }] })
  })

  it('reaffirms the record without a conflict if the question is confirmed', async () => {
    const { id, question_id } = await record('bullace')
    const { body } = await answering(bob, { question_id, resolution: 'confirm' })
    expect(body.entity.id).toBe(id)
    expect(await memory(ann, id)).toMatchObject({ in_force: true, answers: [{ resolution: 'confirm' }] })
    expect((await memory(ann, id)).confirmed_at).toBeDefined()
    expect(conflictsWith(await search(ann, { q: 'bullace shed' }), id)).toEqual([])
  })

  it('changes nothing in the record if the question is dismissed', async () => {
    const { id, question_id } = await record('mirabelle')
    await answering(bob, { question_id, resolution: 'dismiss' })
    const now = await memory(ann, id)
    expect([now.in_force, now.confirmed_at, now.answers.length]).toEqual([true, undefined, 1])
    expect(conflictsWith(await search(ann, { q: 'mirabelle shed' }), id)).toEqual([])
  })

  it.each([
    ['We chose Postgres for the sloe press, open question: which version?', 'which version?'],
    ['Press the sloes in May; TBD: who presses them?', 'who presses them?'],
    ['The sloe press is cleaned nightly (to be decided: at which hour?)', 'at which hour?'],
  ])('keeps the record in force if the question is only part of the sentence: %s', async (content, claim) => {
    const id = await remembered(ann, content)
    const question = await onlyAsked(ann, 'memory', id)
    expect(question.claim).toBe(content)
    const { body } = await answering(bob, {
      question_id: question.question_id,
      resolution: 'answer',
      note: 'As last year.',
    })
    expect(await memory(ann, id)).toMatchObject({ in_force: true, superseded_by: [] })
    const [conflict] = conflictsWith(await search(ann, { references: [{ type: 'memory', id }] }), id)
    expect(conflict).toMatchObject({ superseded_by: { id: body.entity.id } })
    expect(conflict?.message).toContain(claim)
  })

  it('supersedes the whole record if it contains nothing but the question', async () => {
    const id = await remembered(ann, 'It is still open who prunes the whitebeam.')
    const { question_id, claim } = await onlyAsked(ann, 'memory', id)
    expect(claim).toBe('It is still open who prunes the whitebeam.')
    const { body } = await answering(bob, { question_id, resolution: 'answer', note: 'Emil prunes the whitebeam.' })
    expect(await memory(ann, id)).toMatchObject({ in_force: false, superseded_by: [{ id: body.entity.id }] })
    expect(await hits(ann, 'prunes the whitebeam')).toEqual([body.entity.id])
  })
})

describe('answering whether superseding a strategic decision was intended', () => {
  /** A decision that was proposed, and accepted by someone who did not name what it supersedes. */
  const replacing = async (title: string, judgment: string, old: string): Promise<string> => {
    const id = await decided(ann, title, judgment, { supersedes: [old], status: 'proposed' })
    await answering(bob, { question_id: `judgment:${id}`, resolution: 'confirm' })
    return id
  }

  it('is not asked if the caller named the decision that is superseded', async () => {
    const strategic = { significance: 'strategic' }
    const [old, other] = [await decided(ann, 'Press by hand', 'By hand.', strategic), 'press-2']
    await decided(ann, 'Press by foot', 'By foot.', { ...strategic, external_id: other })
    const id = await decided(ann, 'Press by engine', 'By an engine.', { supersedes: [old, other] })
    expect(await asked(ann, 'decision', id)).toEqual([])
  })

  it('asks whether superseding a strategic decision was intended, until it is answered', async () => {
    const old = await decided(ann, 'Sell in orchards only', 'We sell in orchards only.', { significance: 'strategic' })
    const id = await replacing('Sell in shops', 'We sell in shops too.', old)
    const question = await onlyAsked(ann, 'decision', id)
    expect(question).toMatchObject({ reason: 'high_grade_supersession', subject: { kind: 'decision', id } })
    expect(question.claim).toContain('Sell in orchards only')
    await answering(bob, { question_id: question.question_id, resolution: 'confirm' })
    expect(await decision(ann, id)).toMatchObject({ in_force: true, supersedes: [old] })
    expect(await asked(ann, 'decision', id)).toEqual([])
  })

  it.each(['answer'])('stores the note as a fact that supersedes nothing (%s)', async (resolution) => {
    const title = `Sell ${resolution === 'answer' ? 'perry' : 'cider'} in shops`
    const old = await decided(ann, `${title}, never`, 'We do not.', { significance: 'strategic' })
    const id = await replacing(title, 'We do.', old)
    const { question_id } = await onlyAsked(ann, 'decision', id)
    const note = `Yes, the board meant it: ${title}.`
    const { body } = await answering(bob, { question_id, resolution, note })
    const made = body.entity.id
    expect(await memory(ann, made)).toMatchObject({ kind: 'fact', content: note, in_force: true, corrects: [] })
    expect(await decision(ann, id)).toMatchObject({ in_force: true, superseded_by: [], answers: [{ made }, {}] })
    expect(conflictsWith(await search(ann, { references: [{ type: 'decision', id }] }), id)).toEqual([])
  })
})

describe('answering what an ambiguous name means', () => {
  it('shows the note only to those who were asked, and retracts no claim of either record', async () => {
    const named = (id: string, name: string) => ({ entities: [{ type: 'person', id, name }] })
    const shared = await decided(ann, 'Graft', 'Kim grafts the pears.', named('p-1', 'Kim Novak'))
    const own = { ...named('p-2', 'Kim Weber'), visibility: { scope: 'private' } }
    const mine = await decided(ann, 'Prune', 'Kim prunes the pears.', own)
    const question = await eventually(() => onlyAsked(ann, 'decision', mine))
    expect(question.reason).toBe('ambiguous_identity')
    const note = 'Kim Novak grafts, Kim Weber prunes.'
    const { body } = await answering(ann, { question_id: question.question_id, resolution: 'answer', note })
    expect(await memory(ann, body.entity.id)).toMatchObject({ content: note, visibility: { scope: 'private' } })
    for (const id of [shared, mine]) {
      expect(conflictsWith(await search(ann, { references: [{ type: 'decision', id }] }), id)).toEqual([])
    }
  })
})

describe('context.resolve', () => {
  const doubtful = async (content: string, more = {}) => {
    const id = await remembered(ann, content, more)
    return { id, question_id: (await onlyAsked(ann, 'memory', id)).question_id }
  }

  it('returns 409 revision_conflict if the question was answered before', async () => {
    const { question_id } = await doubtful('I think the larch fence is ours.')
    await answering(bob, { question_id, resolution: 'confirm' })
    const second = await answering(ann, { question_id, resolution: 'dismiss' })
    expect([second.status, second.body.code]).toEqual([409, 'revision_conflict'])
    expect(second.headers.get('content-type')).toContain('application/problem+json')
  })

  it('returns 409 revision_conflict if the record was corrected in the meantime', async () => {
    const { id, question_id } = await doubtful('I think the spruce fence is ours.')
    await remembered(ann, 'The spruce fence is theirs.', { kind: 'correction', corrects_memory_id: id })
    expect(await asked(ann, 'memory', id)).toEqual([])
    const late = await answering(bob, { question_id, resolution: 'confirm' })
    expect([late.status, late.body.code]).toEqual([409, 'revision_conflict'])
  })

  it('returns the same receipt for the same idempotency key and applies the answer once', async () => {
    const { id, question_id } = await doubtful('I think the yew fence is ours.')
    const body = { question_id, resolution: 'correct', note: 'The yew fence is theirs.' }
    const headers = { 'idempotency-key': 'resolve-the-yew-fence' }
    const first = await answering(bob, body, headers)
    const again = await answering(bob, body, headers)
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
    expect((await memory(ann, id)).superseded_by).toHaveLength(1)
    const other = await answering(bob, { ...body, note: 'The yew fence is nobody’s.' }, headers)
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict'])
  })

  it('refuses answers without a required note, with an unknown resolution or question, or without the scope', async () => {
    const { question_id } = await doubtful('I think the cedar fence is ours.')
    for (const resolution of ['correct', 'answer']) {
      const { status, body } = await answering(bob, { question_id, resolution })
      expect([status, body.details.issues[0].path]).toEqual([400, 'note'])
    }
    expect((await answering(bob, { question_id, resolution: 'maybe' })).status).toBe(400)
    expect((await answering(bob, { question_id: 'judgment:none', resolution: 'confirm' })).status).toBe(404)
    const reader = { url: serving.url, key: await serving.key(['context:read'], { user: 'cyd' }) }
    expect((await answering(reader, { question_id, resolution: 'confirm' })).status).toBe(403)
  })

  it('returns the same 404 for a hidden question as for a missing one', async () => {
    const { id, question_id } = await doubtful('I think the cork fence is ours.', { visibility: { scope: 'private' } })
    const hidden = await answering(bob, { question_id, resolution: 'confirm' })
    const missing = await answering(bob, { question_id: `${question_id}0`, resolution: 'confirm' })
    expect(hidden.status).toBe(404)
    expect({ ...hidden.body, instance: null }).toEqual({ ...missing.body, instance: null })
    expect(await asked(bob, 'memory', id)).toEqual([])
    expect(JSON.stringify(await search(bob, { q: 'cork fence' }))).not.toContain('cork')
  })

  it('gives the note the audience of the record that it answers', async () => {
    const visibility = { scope: 'team', team_id: team }
    const { question_id } = await doubtful('I think the teak fence is ours.', { visibility })
    const note = 'The teak fence is theirs.'
    const { body } = await answering(ann, { question_id, resolution: 'answer', note })
    expect(await memory(ann, body.entity.id)).toMatchObject({ visibility })
    expect(await memory(bob, body.entity.id)).toMatchObject({ status: 404 })
  })

  it('rejects a note that contains a private key', async () => {
    const { question_id } = await doubtful('I think the ash fence is ours.')
    const note = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA'.repeat(20)}\n-----END RSA PRIVATE KEY-----`
    const { body } = await answering(bob, { question_id, resolution: 'answer', note })
    expect(body).toMatchObject({ state: 'rejected', error: { code: 'secret_detected' } })
  })

  it('applies exactly one of several concurrent answers', async () => {
    const { question_id } = await doubtful('I think the oak fence is ours.')
    const answers = await Promise.all(
      ['confirm', 'dismiss', 'confirm', 'dismiss'].map((resolution) => answering(bob, { question_id, resolution })),
    )
    const ended = answers.map(({ status, body }) => (status === 409 ? body.code : (body.error?.code ?? body.state)))
    expect(ended.filter((one) => one === 'applied')).toHaveLength(1)
    expect(ended.every((one) => ['applied', 'question_closed', 'revision_conflict'].includes(one))).toBe(true)
    const refused = answers.flatMap(({ body }) => body.detail ?? body.error?.message ?? [])
    expect(refused).toHaveLength(3)
    for (const message of refused) {
      expect(message).toMatch(new RegExp(`^The question ${question_id} is closed: it was .* by bob at .*Z\\.$`))
    }
  })

  it('is refused if the question is closed, with its id, its state, since when and by whom', async () => {
    const { id, question_id } = await doubtful('I think the elm fence is ours.')
    await answering(bob, { question_id, resolution: 'confirm' })
    const again = await answering(ann, { question_id, resolution: 'dismiss' })
    const [{ answered_at }] = (await memory(ann, id)).answers
    expect(again).toMatchObject({
      status: 409,
      body: {
        code: 'revision_conflict',
        detail: `The question ${question_id} is closed: it was confirmed by bob at ${answered_at}.`,
        details: { question_id, state: 'confirmed', closed_at: answered_at, closed_by: 'bob' },
      },
    })
  })

  it('does not tell who closed the question if the key may not read answers, unless it was its own user', async () => {
    const { id, question_id } = await doubtful('I think the yew fence is ours.')
    await answering(bob, { question_id, resolution: 'dismiss' })
    const [{ answered_at }] = (await memory(ann, id)).answers
    const as = async (user: string) => {
      const key = await serving.key(['context:write'], { user })
      return (await answering({ url: serving.url, key }, { question_id, resolution: 'confirm' })).body
    }
    const told = await as('carl')
    expect(told.detail).toBe(`The question ${question_id} is closed: it was dismissed at ${answered_at}.`)
    expect(told.details).toEqual({ question_id, state: 'dismissed', closed_at: answered_at })
    expect((await as('bob')).details).toMatchObject({ closed_by: 'bob' })
  })

  it('is refused if its record was replaced, with since when', async () => {
    const { id, question_id } = await doubtful('I think the box fence is ours.')
    const content = 'The box fence is ours.'
    await remembered(bob, content, { kind: 'correction', corrects_memory_id: id })
    const { status, body } = await answering(ann, { question_id, resolution: 'confirm' })
    expect([status, body.code]).toEqual([409, 'revision_conflict'])
    expect(body.detail).toBe(
      `The question ${question_id} is closed since ${body.details.closed_at}: one of its records was replaced or is no longer in force.`,
    )
    expect(body.details).toEqual({ question_id, state: 'closed', closed_at: expect.stringMatching(/Z$/) })
  })

  it('is documented in openapi.json', async () => {
    const { body } = await send(serving.url, 'GET', '/openapi.json')
    expect(Object.keys(body.paths)).toContain('/v1/context/resolve')
  })
})
