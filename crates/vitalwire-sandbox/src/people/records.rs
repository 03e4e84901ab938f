//! Records behind statistics. Each source has one record per day and one per night, and each manual entry is a record.
//! The record of a night has the id of its sleep.

use jiff::civil::Date;
use uuid::Uuid;

use super::bucket::ValueSources;
use super::manual_entries::NAP;
use super::profile::Profile;
use super::source::View;
use super::stat::Stat;

/// Origin of the statistics of a bucket.
pub(crate) struct RecordSources<'a> {
    pub(crate) person: &'a Profile,
    pub(crate) view: &'a View,
    pub(crate) date: Date,
    pub(crate) sources: ValueSources,
    /// Part of the night's id, if the day has a night.
    pub(crate) night: Option<u8>,
    pub(crate) nap: bool,
}

impl RecordSources<'_> {
    /// Returns the ids of the records behind these statistics, without duplicates.
    pub(crate) fn record_ids(&self, stats: impl Iterator<Item = Stat>) -> Vec<Uuid> {
        let (mut days, mut nights, mut ride, mut nap) = (0_u32, 0_u32, false, false);
        let mut own_night = false;
        for stat in stats {
            match stat {
                Stat::Steps | Stat::Walking | Stat::Running | Stat::Basal | Stat::ActivityScore => days |= self.sources.movement,
                Stat::Cycling | Stat::Distance | Stat::Active | Stat::Total => {
                    days |= self.sources.movement;
                    ride |= self.sources.ride;
                }
                Stat::Heart | Stat::HeartMin | Stat::HeartMax | Stat::StressScore => days |= self.sources.heart,
                Stat::Resting | Stat::Rmssd | Stat::Sdnn => days |= self.sources.body,
                Stat::Skin => nights |= self.sources.body,
                Stat::SleepScore => own_night = true,
                Stat::Asleep => {
                    own_night = true;
                    nap |= self.nap;
                }
                Stat::RecoveryScore => {
                    own_night = true;
                    days |= self.sources.body;
                }
            }
        }
        let person = self.person;
        let sources = |bits: u32| self.view.sources.iter().enumerate().filter(move |(at, _)| bits >> at & 1 == 1).map(|(_, source)| source);
        let mut ids: Vec<Uuid> = sources(days).map(|source| person.dated_id(source.slug, self.date, 0)).collect();
        let mut parts: Vec<u8> = sources(nights).map(|source| source.part(person)).collect();
        parts.extend(self.night.filter(|_| own_night));
        parts.extend(nap.then_some(NAP));
        parts.sort_unstable();
        parts.dedup();
        ids.extend(parts.into_iter().map(|part| person.dated_id("sleep", self.date, part)));
        if ride {
            ids.push(person.dated_id("ride by hand", self.date, 0));
        }
        ids
    }
}
