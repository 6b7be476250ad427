"""Numbered schema migrations, append-only. `PRAGMA user_version` holds the number of the last one applied."""

from __future__ import annotations

from typing import Final

MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    # 1: the first schema. Transcripts are a tree (parent_id), so that an edited message becomes a sibling and nothing
    # said is ever overwritten. Facts are bitemporal: valid_from/valid_to is when they held, created_at when we learned.
    # Episodes carry enough to rebuild the vector index without reading transcripts again.
    (
        "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
        """CREATE TABLE sessions (
            id TEXT PRIMARY KEY,
            title TEXT NOT NULL DEFAULT '',
            created_at TEXT NOT NULL,
            updated_at TEXT NOT NULL,
            origin TEXT NOT NULL DEFAULT 'chat',
            pinned INTEGER NOT NULL DEFAULT 0,
            head_id TEXT,
            summarised_seq INTEGER NOT NULL DEFAULT 0
        )""",
        "CREATE INDEX sessions_updated ON sessions(updated_at)",
        """CREATE TABLE messages (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
            parent_id TEXT,
            ref TEXT,
            role TEXT NOT NULL,
            name TEXT,
            content TEXT NOT NULL,
            created_at TEXT NOT NULL,
            epoch REAL NOT NULL,
            state TEXT NOT NULL DEFAULT 'complete',
            recalled TEXT
        )""",
        "CREATE UNIQUE INDEX messages_ref ON messages(session_id, ref) WHERE ref IS NOT NULL",
        "CREATE INDEX messages_session ON messages(session_id, seq)",
        "CREATE INDEX messages_parent ON messages(parent_id)",
        "CREATE INDEX messages_state ON messages(state) WHERE state = 'streaming'",
        """CREATE TABLE facts (
            id TEXT PRIMARY KEY,
            subject TEXT NOT NULL,
            predicate TEXT NOT NULL,
            object TEXT NOT NULL,
            text TEXT NOT NULL,
            kind TEXT NOT NULL,
            key TEXT NOT NULL,
            language TEXT NOT NULL,
            status TEXT NOT NULL,
            polarity INTEGER NOT NULL,
            confidence REAL NOT NULL,
            importance REAL NOT NULL,
            pinned INTEGER NOT NULL DEFAULT 0,
            edited INTEGER NOT NULL DEFAULT 0,
            support INTEGER NOT NULL DEFAULT 1,
            access_count INTEGER NOT NULL DEFAULT 0,
            created_at TEXT NOT NULL,
            last_seen TEXT NOT NULL,
            last_access TEXT,
            valid_from TEXT,
            valid_to TEXT,
            due TEXT,
            superseded_by TEXT,
            version INTEGER NOT NULL DEFAULT 1
        )""",
        "CREATE INDEX facts_status ON facts(status)",
        "CREATE INDEX facts_subject ON facts(subject COLLATE NOCASE)",
        "CREATE INDEX facts_key ON facts(key)",
        """CREATE TABLE fact_sources (
            fact_id TEXT NOT NULL REFERENCES facts(id) ON DELETE CASCADE,
            session_id TEXT NOT NULL,
            message_id TEXT NOT NULL,
            start INTEGER NOT NULL,
            "end" INTEGER NOT NULL,
            quote TEXT NOT NULL,
            clause_start INTEGER NOT NULL,
            clause_end INTEGER NOT NULL,
            PRIMARY KEY (fact_id, message_id, start)
        ) WITHOUT ROWID""",
        "CREATE INDEX fact_sources_message ON fact_sources(message_id)",
        """CREATE TABLE fact_history (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            fact_id TEXT NOT NULL REFERENCES facts(id) ON DELETE CASCADE,
            at TEXT NOT NULL,
            actor TEXT NOT NULL,
            action TEXT NOT NULL,
            before TEXT,
            after TEXT
        )""",
        "CREATE INDEX fact_history_fact ON fact_history(fact_id, id)",
        """CREATE TABLE episodes (
            id TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
            role TEXT NOT NULL,
            speaker TEXT NOT NULL,
            text TEXT NOT NULL,
            lexical TEXT NOT NULL,
            language TEXT NOT NULL,
            importance REAL NOT NULL,
            position INTEGER NOT NULL,
            created_at TEXT NOT NULL,
            epoch REAL NOT NULL,
            access_count INTEGER NOT NULL DEFAULT 0,
            last_access TEXT
        )""",
        "CREATE INDEX episodes_session ON episodes(session_id, position)",
        """CREATE TABLE episode_sources (
            episode_id TEXT NOT NULL REFERENCES episodes(id) ON DELETE CASCADE,
            message_id TEXT NOT NULL,
            PRIMARY KEY (episode_id, message_id)
        ) WITHOUT ROWID""",
        "CREATE INDEX episode_sources_message ON episode_sources(message_id)",
        # One row a piece of work and thing; a lease lets several programs share the queue without doing it twice.
        """CREATE TABLE outbox (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            ref TEXT NOT NULL,
            payload TEXT,
            attempts INTEGER NOT NULL DEFAULT 0,
            not_before REAL NOT NULL DEFAULT 0,
            leased_until REAL NOT NULL DEFAULT 0,
            lease_owner TEXT,
            UNIQUE (kind, ref)
        )""",
        "CREATE TABLE tombstones (digest TEXT PRIMARY KEY, created_at TEXT NOT NULL) WITHOUT ROWID",
        """CREATE TABLE audit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at TEXT NOT NULL,
            actor TEXT NOT NULL,
            action TEXT NOT NULL,
            layer TEXT NOT NULL,
            record_id TEXT NOT NULL
        )""",
    ),
    # 2: the graph, made from the active facts and made anew whenever they differ from `graph_stamp` in meta. A deleted
    # fact takes its edges along and an entity that no edge names any more goes with the last of them, inside the
    # transaction that deletes, so that forgetting need not know of the graph.
    (
        """CREATE TABLE entities (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            form TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL
        )""",
        """CREATE TABLE relations (
            fact_id TEXT NOT NULL REFERENCES facts(id) ON DELETE CASCADE,
            source INTEGER NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
            predicate TEXT NOT NULL,
            target INTEGER NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
            PRIMARY KEY (fact_id, source, target)
        ) WITHOUT ROWID""",
        "CREATE INDEX relations_source ON relations(source)",
        "CREATE INDEX relations_target ON relations(target)",
        """CREATE TRIGGER relations_orphans AFTER DELETE ON relations BEGIN
            DELETE FROM entities WHERE id IN (old.source, old.target)
                AND NOT EXISTS (SELECT 1 FROM relations WHERE source = entities.id OR target = entities.id);
        END""",
    ),
    # 3: insights, which are derived and made anew like the graph, each with the records that it rests on; and episodes
    # that stepped aside: archived ones are out of recall, still listed, and come back when the person says so. `stored`
    # is when a record was kept here, so that what an import brought in yesterday is not old for having been said long
    # ago.
    (
        """CREATE TABLE insights (
            id TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            text TEXT NOT NULL,
            key TEXT NOT NULL,
            language TEXT NOT NULL,
            sessions INTEGER NOT NULL,
            updated_at TEXT NOT NULL
        )""",
        """CREATE TABLE insight_sources (
            insight_id TEXT NOT NULL REFERENCES insights(id) ON DELETE CASCADE,
            record_id TEXT NOT NULL,
            place INTEGER NOT NULL,
            PRIMARY KEY (insight_id, record_id)
        ) WITHOUT ROWID""",
        "ALTER TABLE episodes ADD COLUMN archived INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE episodes ADD COLUMN stored REAL NOT NULL DEFAULT 0",
        "CREATE INDEX episodes_archived ON episodes(archived, kind)",
    ),
)
