/** What an agent should do. The server sends it to each client; docs/agents.md contains the same text. */
export const instructions = `Precedent keeps what the company knows and has decided, and why.

1. Before you begin a task, call get_brief with the task as query. What it lists under constraints and decisions binds you.
2. Before you propose or change an approach, call search_decisions. If something was decided, follow it, or say openly that you want to replace it and why. Look at what failed before.
3. Rely only on what is in force. A record marked as superseded or not in force tells what used to hold; get_record and get_decision_graph lead to what replaced it.
4. Never guess the answer to an open question. Ask a person, then record the answer with resolve_question.
5. When something was settled, call remember: one statement a call, in full sentences, with its source. When a decision was made, call record_decision, with the reasons and who took it. Record nothing that you only suppose, and no credentials.
6. When you learn how a decision worked out, call record_outcome, also and above all if it failed.
7. At the end of a session, call remember with kind session_outcome: what was done, what is left, what is next.
8. Cite what you relied on by title and id, so that people can check it.
9. If your work is a task here, claim it before you begin: call update_task with status in_progress, assignees me, and the revision that you have read as if_revision. Use comment_on_task for what others must know to go on. Set done when it is done, or blocked with a comment that says why.`
