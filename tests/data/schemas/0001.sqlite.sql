BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE events (
	stream TEXT NOT NULL,
	seq INTEGER NOT NULL,
	at INTEGER NOT NULL,
	office INTEGER NOT NULL,
	actor TEXT NOT NULL,
	role TEXT NOT NULL,
	kind TEXT NOT NULL,
	"key" TEXT,
	request BLOB,
	body TEXT NOT NULL,
	sealed BLOB,
	hash BLOB NOT NULL,
	CONSTRAINT events_pkey PRIMARY KEY (stream, seq),
	CONSTRAINT events_seq_check CHECK (seq > 0)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE transfers (
	stream TEXT NOT NULL,
	seq INTEGER NOT NULL,
	n INTEGER NOT NULL,
	source TEXT NOT NULL,
	target TEXT NOT NULL,
	micros INTEGER NOT NULL,
	CONSTRAINT transfers_pkey PRIMARY KEY (stream, seq, n),
	CONSTRAINT transfers_event_fkey FOREIGN KEY(stream, seq) REFERENCES events (stream, seq),
	CONSTRAINT transfers_micros_check CHECK (micros > 0),
	CONSTRAINT transfers_accounts_check CHECK (source <> target)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE wallets (
	player TEXT NOT NULL,
	micros INTEGER NOT NULL,
	CONSTRAINT wallets_pkey PRIMARY KEY (player),
	CONSTRAINT wallets_micros_check CHECK (micros >= 0)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE answers (
	actor TEXT NOT NULL,
	"key" TEXT NOT NULL,
	request BLOB NOT NULL,
	stream TEXT,
	seq INTEGER,
	refusal BLOB,
	CONSTRAINT answers_pkey PRIMARY KEY (actor, "key"),
	CONSTRAINT answers_outcome_check CHECK ((seq IS NULL) <> (refusal IS NULL))
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE people (
	name TEXT NOT NULL,
	role TEXT NOT NULL,
	active INTEGER NOT NULL,
	bot INTEGER NOT NULL,
	CONSTRAINT people_pkey PRIMARY KEY (name)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE house (
	one INTEGER NOT NULL,
	epoch INTEGER NOT NULL,
	key_id TEXT NOT NULL,
	revision TEXT NOT NULL,
	office INTEGER NOT NULL,
	CONSTRAINT house_pkey PRIMARY KEY (one),
	CONSTRAINT house_one_check CHECK (one = 1)
)
 WITHOUT ROWID,
 STRICT

;
CREATE TABLE streams (
	name TEXT NOT NULL,
	CONSTRAINT streams_pkey PRIMARY KEY (name)
)
 WITHOUT ROWID,
 STRICT

;
INSERT INTO alembic_version VALUES('0001');
INSERT INTO events VALUES('cage',1,1763000000000000,2,'cal','cashier','buy-in','k1',X'0000000000000000000000000000000000000000000000000000000000000000','{"player":"ann","micros":5000000}',NULL,X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F');
INSERT INTO events VALUES('table/one',1,1763000000000001,2,'dan','dealer','open',NULL,NULL,'{"round":1}',X'00FF7365616C6564',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F');
INSERT INTO transfers VALUES('cage',1,1,'cage','wallet/ann',5000000);
INSERT INTO transfers VALUES('table/one',1,1,'house','meter/mega',230000);
INSERT INTO wallets VALUES('ann',5000000);
INSERT INTO answers VALUES('cal','k1',X'0000000000000000000000000000000000000000000000000000000000000000','cage',1,NULL);
INSERT INTO answers VALUES('cal','k2',X'0000000000000000000000000000000000000000000000000000000000000000','cage',NULL,X'72656675736564');
INSERT INTO people VALUES('ann','player',1,0);
INSERT INTO streams VALUES('cage');
INSERT INTO streams VALUES('meter/mega');
INSERT INTO streams VALUES('table/one');
CREATE INDEX events_open ON events (stream, seq) WHERE kind = 'open';
CREATE INDEX transfers_to_meters ON transfers (target, stream, seq, micros) WHERE (target LIKE 'meter/%' OR target LIKE 'reserve/%');
CREATE INDEX transfers_from_meters ON transfers (source, stream, seq, micros) WHERE (source LIKE 'meter/%' OR source LIKE 'reserve/%');
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events_append_only: events are never changed or deleted'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events_append_only: events are never changed or deleted'); END;
CREATE TRIGGER transfers_no_update BEFORE UPDATE ON transfers BEGIN SELECT RAISE(ABORT, 'transfers_append_only: transfers are never changed or deleted'); END;
CREATE TRIGGER transfers_no_delete BEFORE DELETE ON transfers BEGIN SELECT RAISE(ABORT, 'transfers_append_only: transfers are never changed or deleted'); END;
CREATE TRIGGER answers_no_update BEFORE UPDATE ON answers BEGIN SELECT RAISE(ABORT, 'answers_append_only: answers are never changed or deleted'); END;
CREATE TRIGGER answers_no_delete BEFORE DELETE ON answers BEGIN SELECT RAISE(ABORT, 'answers_append_only: answers are never changed or deleted'); END;
COMMIT;
